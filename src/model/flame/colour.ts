/**
 * Colours of frames: a fixed table, so that boxes of one colour can be filled together. The five families of code are
 * distinct in both themes, for colour-blind users too, and labels have a contrast of at least 4.5 (colour.test.ts).
 */

/** A colour as CSS, in the light and in the dark theme. */
export interface Tone {
  readonly light: string;
  readonly dark: string;
}

/** Lightness and chroma in one theme, and the step from one shade to the next. */
type Shade = readonly [lightness: number, chroma: number, step?: number];

function tone(hue: number, [light, lightChroma]: Shade, [dark, darkChroma]: Shade): Tone {
  return { light: hexOf(light, lightChroma, hue), dark: hexOf(dark, darkChroma, hue) };
}

const STEP = 0.012;

/** One hue in steps of lightness, for the packages and classes below one root. */
function shades(hue: number, light: Shade, dark: Shade, steps: readonly number[] = [0, -1, 1]): Tone[] {
  const at = ([lightness, chroma, step = STEP]: Shade, by: number): Shade => [lightness + by * step, chroma];
  return steps.map((by) => tone(hue, at(light, by), at(dark, by)));
}

/** Amber to rose, the only vivid colours. By package root, then by class. */
export const APPLICATION_TONES: readonly Tone[][] = [48, 84, 12, 66, 30].map((hue) =>
  shades(hue, [0.75, 0.118, 0.024], [0.512, 0.118, 0.013], [0, -1, 1, -2, 2]),
);
/** Greyed teal and violet. */
export const LIBRARY_TONES: readonly Tone[][] = [
  shades(189, [0.846, 0.045], [0.348, 0.045]),
  shades(303, [0.837, 0.045], [0.46, 0.053]),
];
/** Slate. */
export const JDK_TONES: readonly Tone[] = shades(255, [0.925, 0.03], [0.275, 0.03]);
export const [APPLICATION]: readonly Tone[] = APPLICATION_TONES[0];
export const [LIBRARY]: readonly Tone[] = LIBRARY_TONES[0];
export const [JDK] = JDK_TONES;
export const NATIVE: Tone = tone(260, [0.723, 0.06], [0.536, 0.06]);
export const KERNEL: Tone = tone(328, [0.623, 0.07], [0.394, 0.108]);
/** Frames of no family. */
export const UNKNOWN: Tone = tone(255, [0.86, 0.004], [0.36, 0.004]);

/** During a search, colour marks only the matches. */
export const FOUND: Tone = tone(322, [0.76, 0.17], [0.5, 0.2]);
export const QUIET: Tone = UNKNOWN;
/** Frames beside those that the legend highlights. */
export const DIMMED: Tone = tone(255, [0.955, 0.003], [0.25, 0.006]);
/** Markers of hidden frames. */
export const MARKER: Tone = tone(255, [0.935, 0.006], [0.29, 0.012]);

/** Steps of a difference on either side. */
const DIFF_STEPS = 8;
/** Smaller changes have no colour. */
const LEAST_CHANGE = 0.05;
/** Orange and blue: distinguished by colour-blind eyes too, and by how light they are. */
const MORE = Array.from({ length: DIFF_STEPS }, (_, i) => diffStep(55, (i + 1) / DIFF_STEPS));
const LESS = Array.from({ length: DIFF_STEPS }, (_, i) => diffStep(250, (i + 1) / DIFF_STEPS));

function diffStep(hue: number, much: number): Tone {
  return tone(hue, [0.93 - 0.17 * much, 0.02 + 0.12 * much], [0.34 + 0.15 * much, 0.01 + 0.1 * much]);
}

/**
 * Orange for more in the selection, blue for more in the baseline; `change` from -1 to 1. A change within chance has
 * the palest step.
 */
export function diffTone(change: number, isSure = true): Tone {
  const much = Math.min(isSure ? 1 : 1 / DIFF_STEPS, Math.abs(change));
  if (much < LEAST_CHANGE) return UNKNOWN;
  return (change > 0 ? MORE : LESS)[Math.ceil(much * DIFF_STEPS) - 1];
}

/** All steps from "only in the baseline" to "only in the selection". */
export const DIFF_SCALE: readonly Tone[] = [...LESS.toReversed(), UNKNOWN, ...MORE];

export const TONES: readonly Tone[] = [
  ...APPLICATION_TONES.flat(),
  ...LIBRARY_TONES.flat(),
  ...JDK_TONES,
  NATIVE,
  KERNEL,
  UNKNOWN,
  FOUND,
  DIMMED,
  MARKER,
  ...MORE,
  ...LESS,
];

const NUMBERS = new Map(TONES.map((each, number) => [each, number]));

/** Place of a tone in TONES. A drawing has a number for each row: that is less than an object for each. */
export function toneNumber(of: Tone): number {
  return NUMBERS.get(of) ?? 0;
}

export function cssOf(tone: Tone, inDark: boolean): string {
  return inDark ? tone.dark : tone.light;
}

/** OKLCH colours as `#rrggbb`: viewers of SVG files do not know `oklch()`, and browsers read hex fastest. */

/** Lightness 0–1, chroma 0–0.37, hue in degrees. What sRGB does not have is clipped. */
function hexOf(lightness: number, chroma: number, hue: number): string {
  const angle = (hue * Math.PI) / 180;
  const a = chroma * Math.cos(angle);
  const b = chroma * Math.sin(angle);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return `#${linear.map(channelOf).join("")}`;
}

function channelOf(linear: number): string {
  const value = Math.min(1, Math.max(0, linear));
  const encoded = value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
  return Math.round(255 * encoded)
    .toString(16)
    .padStart(2, "0");
}
