"""Render pictures of a head: an ellipsoid with a nose, eyes, brows and a mouth, seen and lit from chosen angles."""

import numpy as np

from dimred_ref._arrays import Array

HALF_AXES = np.array([0.72, 0.95, 0.8])  # width, height and depth of the head; the picture shows [-1, 1]²
AMBIENT = 0.25  # light that comes from everywhere, so that the dark side is not black

# Marks on the skin: centre (x, y), radii and how much light they swallow. Mirrored ones are listed once.
MIRRORED_MARKS = (
    ((0.28, 0.22), (0.11, 0.06), 0.85),  # eyes
    ((0.28, 0.40), (0.16, 0.04), 0.5),  # brows
)
CENTRAL_MARKS = (
    ((0.0, -0.48), (0.24, 0.05), 0.7),  # mouth
    ((0.0, 1.0), (0.8, 0.36), 0.9),  # hair
)
NOSE_CENTRE, NOSE_RADII, NOSE_HEIGHT = (0.0, -0.05), (0.11, 0.22), 0.3


def render_faces(pose: Array, light: Array, side: int) -> Array:
    """Return one row of side² grey values in [0, 1] for each pair of angles (radians, positive to the right).

    Parallel rays meet the turned ellipsoid in closed form, so a picture depends smoothly on both angles except
    at the outline of the head. Shading is Lambert's: brightness is the cosine between normal and light.
    """
    across = (2 * np.arange(side) + 1) / side - 1
    x, y = np.tile(across, side), np.repeat(-across, side)  # rows of a picture run downwards
    return np.stack([_render(x, y, *angles) for angles in zip(pose, light, strict=True)])


def _render(x: Array, y: Array, pose: float, light: float) -> Array:
    points, hit = _surface(x, y, pose)
    front = 1 / (1 + np.exp(-12 * points[:, 2]))  # nose and marks fade out towards the back of the head
    normals = points / HALF_AXES**2
    nose = NOSE_HEIGHT * front * _bump(points, NOSE_CENTRE, NOSE_RADII)
    for axis in (0, 1):  # minus the slope of the nose
        normals[:, axis] += 2 * nose * (points[:, axis] - NOSE_CENTRE[axis]) / NOSE_RADII[axis] ** 2
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    # The light keeps its place in the room while the head turns, so it turns the other way in the head's frame.
    angle = light - pose
    direction = np.array([np.sin(angle), 0.35, np.cos(angle)]) / np.hypot(1, 0.35)
    shade = AMBIENT + (1 - AMBIENT) * np.maximum(normals @ direction, 0)
    return np.where(hit, _skin(points, front) * shade, 0.0)


def _surface(x: Array, y: Array, pose: float) -> tuple[Array, Array]:
    """Return where the ray through each pixel meets the head, in the head's own axes, and whether it does."""
    a, _, c = HALF_AXES
    sine, cosine = np.sin(pose), np.cos(pose)
    # A point (x, y, z) of the room has the head coordinates (x cos − z sin, y, x sin + z cos).
    square = (sine / a) ** 2 + (cosine / c) ** 2
    linear = 2 * x * sine * cosine * (1 / c**2 - 1 / a**2)
    constant = (x * cosine / a) ** 2 + (x * sine / c) ** 2 + (y / HALF_AXES[1]) ** 2 - 1
    discriminant = linear**2 - 4 * square * constant
    z = (-linear + np.sqrt(np.maximum(discriminant, 0))) / (2 * square)
    points = np.column_stack([x * cosine - z * sine, y, x * sine + z * cosine])
    return points, discriminant > 0


def _bump(points: Array, centre: tuple[float, float], radii: tuple[float, float]) -> Array:
    """Return a Gaussian bump of height one over the plane of the face."""
    x, y = points[:, 0] - centre[0], points[:, 1] - centre[1]
    return np.exp(-((x / radii[0]) ** 2) - (y / radii[1]) ** 2)


def _skin(points: Array, front: Array) -> Array:
    """Return the share of light that the skin reflects at each point."""
    marks = [((sign * x, y), radii, depth) for (x, y), radii, depth in MIRRORED_MARKS for sign in (-1, 1)]
    skin = np.ones(len(points))
    for centre, radii, depth in (*marks, *CENTRAL_MARKS):
        skin *= 1 - depth * front * _bump(points, centre, radii)
    return skin
