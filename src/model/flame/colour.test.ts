import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  APPLICATION_TONES,
  cssOf,
  DIMMED,
  diffTone,
  FOUND,
  JDK_TONES,
  KERNEL,
  LIBRARY_TONES,
  NATIVE,
  QUIET,
  TONES,
  type Tone,
} from "./colour.ts";

type Three = [number, number, number];
type Matrix = [Three, Three, Three];

/** Dichromacy after Machado, Oliveira and Fernandes (2009), severity 1, on linear sRGB. */
const EYES: Record<string, Matrix> = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};
/** Björn Ottosson's OKLab. */
const TO_LMS: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const TO_LAB: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];

/** About two and a half times the smallest difference that is seen. */
const LEAST_DISTANCE = 0.05;

const FAMILIES: Record<string, readonly Tone[]> = {
  application: APPLICATION_TONES.flat(),
  library: LIBRARY_TONES.flat(),
  jdk: JDK_TONES,
  native: [NATIVE],
  kernel: [KERNEL],
};
const THEMES = [false, true];

function times(matrix: Matrix, v: Three): Three {
  const [a, b, c] = matrix.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]);
  return [a, b, c];
}

function linear(hex: string): Three {
  const channel = (at: number) => {
    const v = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

function labOf(hex: string, eye: Matrix): Three {
  const [r, g, b] = times(eye, linear(hex)).map((v) => Math.min(1, Math.max(0, v)));
  const [l, m, s] = times(TO_LMS, [r, g, b]).map(Math.cbrt);
  return times(TO_LAB, [l, m, s]);
}

function distance(a: string, b: string, eye: Matrix): number {
  const [p, q] = [labOf(a, eye), labOf(b, eye)];
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

function contrast(a: string, b: string): number {
  const luminance = (hex: string) =>
    times(
      [
        [0.2126, 0.7152, 0.0722],
        [0, 0, 0],
        [0, 0, 0],
      ],
      linear(hex),
    )[0];
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

/** A pair of colours of the page's tokens. */
function token(name: string): Tone {
  const css = readFileSync(new URL("../../ui/primitives/theme/tokens.css", import.meta.url), "utf8");
  const [, light = "", dark = ""] = new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(css) ?? [];
  return { light, dark };
}

describe("frame colours", () => {
  it("keep labels readable in both themes", () => {
    const label = token("label");
    for (const tone of TONES)
      for (const dark of THEMES)
        expect(contrast(cssOf(tone, dark), cssOf(label, dark)), cssOf(tone, dark)).toBeGreaterThan(4.5);
  });

  it("of one family are distinct from all of another, for colour-blind users too", () => {
    const near: string[] = [];
    for (const [name, eye] of Object.entries(EYES))
      for (const dark of THEMES)
        for (const [family, tones] of Object.entries(FAMILIES))
          for (const [other, others] of Object.entries(FAMILIES))
            if (family < other)
              for (const a of tones)
                for (const b of others)
                  if (distance(cssOf(a, dark), cssOf(b, dark), eye) < LEAST_DISTANCE)
                    near.push(`${name}: ${family} ${cssOf(a, dark)}, ${other} ${cssOf(b, dark)}`);
    expect(near).toEqual([]);
  });

  it("are no colour of a thread's state, the commonest of which are distinct for colour-blind users, too", () => {
    // `ready` is amber, but hatched. Those of no state are grey.
    const common = ["cpu", "ready", "lock", "sleep", "socket", "stop"];
    const plain = ["cpu", "lock", "wait", "park", "sleep", "socket", "file", "stop", "call", "other"];
    const near: string[] = [];
    for (const dark of THEMES) {
      const colourOf = (state: string) => cssOf(token(`state-${state}`), dark);
      for (const state of plain)
        for (const tone of [...Object.values(FAMILIES).flat(), FOUND])
          if (distance(colourOf(state), cssOf(tone, dark), EYES.all) < LEAST_DISTANCE)
            near.push(`${state}: ${cssOf(tone, dark)}`);
      for (const [name, eye] of Object.entries(EYES))
        for (const [i, a] of common.entries())
          for (const b of common.slice(i + 1))
            if (distance(colourOf(a), colourOf(b), eye) < LEAST_DISTANCE) near.push(`${name}: ${a}, ${b}`);
    }
    expect(near).toEqual([]);
  });

  it("are a different hue for each package root", () => {
    for (const dark of THEMES) {
      const hues = APPLICATION_TONES.map(([tone]) => cssOf(tone, dark));
      for (const [i, a] of hues.entries())
        for (const b of hues.slice(i + 1)) expect(distance(a, b, EYES.all)).toBeGreaterThan(0.02);
    }
  });

  it("show what was found, what is highlighted, and more or less of a difference", () => {
    for (const eye of Object.values(EYES))
      for (const dark of THEMES) {
        const far = (a: Tone, b: Tone) =>
          expect(distance(cssOf(a, dark), cssOf(b, dark), eye)).toBeGreaterThan(LEAST_DISTANCE);
        far(FOUND, QUIET);
        for (const step of [0.3, 0.6, 1]) far(diffTone(step), diffTone(-step));
        for (const family of ["application", "library", "native", "kernel"])
          for (const tone of FAMILIES[family]) far(tone, DIMMED);
      }
  });

  it("are few, so that boxes of one colour can be filled together", () => {
    expect(new Set(TONES.map(({ light }) => light)).size).toBeLessThan(60);
    for (const { light, dark } of TONES) expect(light + dark).toMatch(/^(#[0-9a-f]{6}){2}$/);
    for (let change = -1; change <= 1; change += 0.01) expect(TONES).toContain(diffTone(change));
  });

  it("are those of the page's style sheets", () => {
    expect(token("found")).toEqual(FOUND);
    expect(token("diff-more")).toEqual(diffTone(1));
    expect(token("diff-less")).toEqual(diffTone(-1));
  });
});
