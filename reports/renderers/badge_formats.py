"""Badges as SVG, drawn by anybadge, and as the JSON from which shields.io draws one."""

from __future__ import annotations

import json

from recsys_metric_audit.reports.pins.badge_text import Badge


def as_svg(badge: Badge) -> str:
    """Return the badge as an SVG document."""
    import anybadge

    drawn = anybadge.Badge(badge.label, badge.message, default_color=badge.colour)
    return str(drawn.badge_svg_text).rstrip() + "\n"


def as_endpoint(badge: Badge) -> str:
    """Return the badge as JSON in version 1 of the endpoint schema (https://shields.io/badges/endpoint-badge)."""
    document = {"schemaVersion": 1, "label": badge.label, "message": badge.message, "color": badge.colour}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
