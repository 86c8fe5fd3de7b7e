"""What is right: the definitions of recommender metrics, their axes, and the cases that tell them apart."""
