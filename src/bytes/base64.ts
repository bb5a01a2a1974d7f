/**
 * Base64 (RFC 4648) a piece at a time. Accepts both alphabets, with padding and without, as protobuf's JSON mapping
 * requires of readers (https://protobuf.dev/programming-guides/json/). OTLP writers use the standard alphabet with
 * padding.
 */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const PAD = 0x3d;
const PLUS = 0x2b;
const SLASH = 0x2f;
const NONE = 255;

const SEXTETS = new Uint8Array(256).fill(NONE);
for (let i = 0; i < ALPHABET.length; i++) SEXTETS[ALPHABET.charCodeAt(i)] = i;
SEXTETS["-".charCodeAt(0)] = 62;
SEXTETS["_".charCodeAt(0)] = 63;

export class Base64 {
  /** Why decoding ended; all bytes that `push` returned before are valid. */
  fault: string | null = null;
  /** Whether a character of the URL-safe alphabet was among them that the standard one has not. */
  private isUrlSafe = false;
  /** Characters so far. */
  private count = 0;
  private padding = 0;
  /** Bits that do not fill a byte yet. */
  private bits = 0;
  private kept = 0;

  /** The bytes that `text` completes. */
  push(text: Uint8Array): Uint8Array {
    const out = new Uint8Array(Math.ceil((text.length * 3) / 4) + 1);
    let { bits, kept } = this;
    let n = 0;
    let at = 0;
    for (; at < text.length && this.padding === 0; at++) {
      const sextet = SEXTETS[text[at] ?? 0] ?? NONE;
      if (sextet === NONE) break;
      this.isUrlSafe ||= sextet >= 62 && text[at] !== PLUS && text[at] !== SLASH;
      bits = (bits << 6) | sextet;
      kept += 6;
      if (kept >= 8) {
        kept -= 8;
        out[n++] = bits >> kept;
        bits &= 0xff >> (8 - kept);
      }
    }
    this.bits = bits;
    this.kept = kept;
    this.count += at;
    if (at < text.length) this.pad(text.subarray(at));
    return out.subarray(0, n);
  }

  private pad(text: Uint8Array): void {
    for (const byte of text) {
      if (byte !== PAD) {
        const hex = byte.toString(16).padStart(2, "0");
        const what = this.padding > 0 ? `${hex} follows the padding` : `${hex} is not one of its characters`;
        this.fault ??= `base64: byte ${what}, after ${this.count} of them`;
        return;
      }
      this.count++;
      this.padding++;
    }
  }

  /** To be called after the last character. Missing padding is forgiven, a character too few or too many is not. */
  end(): void {
    const characters = this.count - this.padding;
    if (characters % 4 === 1) this.fault ??= `base64: ${characters} characters, which is an impossible number`;
    else if (this.padding > 2) this.fault ??= `base64: ${this.padding} characters of padding`;
  }

  /** Behind the end: whether it was of the standard alphabet, padded. */
  get isStandard(): boolean {
    return this.fault === null && !this.isUrlSafe && this.count % 4 === 0;
  }
}
