"""Evaluation of LLaRA: what was written, the true title and the candidate titles, in a dict of lists."""


def calculate_hr1(eval_content):
    correct_num = valid_num = total_num = 0
    for i, generate in enumerate(eval_content["generate"]):
        real = eval_content["real"][i].strip().lower()
        total_num += 1
        generate = generate.strip().lower()
        named = [cand for cand in (title.strip().lower() for title in eval_content["cans"][i]) if cand in generate]
        if len(named) == 1:
            valid_num += 1
            if real == named[0]:
                correct_num += 1
    valid_ratio = valid_num / total_num
    hr1 = correct_num / valid_num if valid_num > 0 else 0
    return valid_ratio, hr1
