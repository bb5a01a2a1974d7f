/** Damage to the lines of collapsed stacks: what is between blanks, semicolons and line feeds is replaced. */
import type { Random } from "../kit/random.ts";

/** Something of everything that a line may have. */
export const COLLAPSED = new TextEncoder().encode(
  [
    "main;work_[j];sys_read_[k] 12",
    "[pool 1 tid=7];run_[0];inlined_[i] 3",
    "[tid=9];x;;y 1",
    "",
    "void f(int, char);operator= 4.5",
    "A.main:12;B.run:7 -3",
    "name 0\r",
    "deep;deep;deep;deep;deep;deep;deep;leaf_[1] 9223372036854775807",
    "",
  ].join("\n"),
);

const PARTS = [
  ...["", ";", ";;", " ", "\t", "\r", "\n", "a", "_[j]", "_[k]", "_[", "]", "[tid=", "[a tid=1]", "\ufeff", "\ud800"],
  ...["0", "-", "-0", ".5", "1.", "1.9", "1e5", "9".repeat(25), "9223372036854775808", "-9223372036854775809", "\0"],
];

/** Replaces, adds or takes out some of the words of the lines. */
export function damageLines(bytes: Uint8Array, random: Random): [string, Uint8Array] {
  const words = new TextDecoder().decode(bytes).split(/([; \n])/);
  const count = 1 + random.below(6);
  for (let n = count; n > 0; n--) {
    const part = random.one(8) ? random.pick(PARTS).repeat(1 + random.below(500)) : random.pick(PARTS);
    words.splice(random.below(words.length), random.below(3), part);
  }
  return [`${count} words of lines`, new TextEncoder().encode(words.join(""))];
}
