/**
 * Colour of a frame. By package: a library keeps its hue over the whole graph; the JDK, native and kernel frames stay
 * quiet. By kind of frame, or by whose code it is: a hue for each. Every pair of fill and label is above 4.5:1 in both
 * themes (colour.test.ts).
 */

import { withoutHiddenAddress } from "../words/text.ts";
import type { FrameTypeName } from "./frame-types.ts";

/** Hue, saturation %, and lightness % in the light and in the dark theme. */
export interface Tone {
  h: number;
  s: number;
  light: number;
  dark: number;
}

const PACKAGE_TONES: Tone[] = [28, 46, 70, 100, 140, 168, 335, 8].map((h) => ({ h, s: 50, light: 78, dark: 27 }));
export const JDK: Tone = { h: 40, s: 16, light: 82, dark: 28 };
export const NATIVE: Tone = { h: 212, s: 42, light: 80, dark: 30 };
export const KERNEL: Tone = { h: 268, s: 38, light: 82, dark: 32 };
export const UNKNOWN: Tone = { h: 220, s: 8, light: 84, dark: 28 };

export const APPLICATION: Tone = { h: 28, s: 62, light: 76, dark: 28 };
export const LIBRARY: Tone = { h: 140, s: 40, light: 80, dark: 26 };
export const JAVA: Tone = { h: 100, s: 45, light: 78, dark: 26 };

/** While something is looked for, colour only says what was found. */
export const FOUND: Tone = { h: 300, s: 75, light: 78, dark: 34 };
export const QUIET: Tone = UNKNOWN;

/** Orange for more here, blue for more there: distinguished by colour-blind eyes too, and by how dark they are. */
export function diffTone(change: number): Tone {
  const much = Math.min(1, Math.abs(change));
  if (much < 0.05) return UNKNOWN;
  const light = change > 0 ? 90 - 18 * much : 90 - 14 * much;
  return { h: change > 0 ? 28 : 215, s: 30 + 55 * much, light: Math.round(light), dark: Math.round(24 + 8 * much) };
}

export const TONES: readonly Tone[] = [
  ...PACKAGE_TONES,
  JDK,
  NATIVE,
  KERNEL,
  UNKNOWN,
  APPLICATION,
  LIBRARY,
  JAVA,
  FOUND,
  ...[-1, -0.5, 0.5, 1].map(diffTone),
];

export const IN_JDK = /^(java|javax|jdk|sun|com\.sun)(\.|$)/;

export function toneOf(name: string, kind: FrameTypeName): Tone {
  if (kind === "native") return NATIVE;
  if (kind === "kernel") return KERNEL;
  const home = packageOf(name);
  if (home === "") return UNKNOWN;
  if (IN_JDK.test(home)) return JDK;
  return PACKAGE_TONES[hash(home) % PACKAGE_TONES.length];
}

/**
 * As a CSS colour that SVG attributes take too: `#rrggbb`, which browsers read several times as fast as `hsl()`, and do
 * again for every frame with every change of any of its attributes.
 */
export function cssOf({ h, s, light, dark }: Tone, inDark: boolean): string {
  const l = (inDark ? dark : light) / 100;
  const reach = (s / 100) * Math.min(l, 1 - l);
  const channel = (n: number) => {
    const k = (n + h / 30) % 12;
    const value = Math.round(255 * (l - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
    return value.toString(16).padStart(2, "0");
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
}

/** The first three parts of the package in `pkg.Class.method`; "" where there is none. */
export function packageOf(name: string): string {
  const parts = withoutHiddenAddress(name).split("(", 1)[0].split(".");
  return parts.slice(0, Math.min(3, parts.length - 2)).join(".");
}

function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return (h ^ (h >>> 15)) >>> 0;
}
