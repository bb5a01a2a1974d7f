/** A filter in words. */
import type { Chip } from "../../model/chips.ts";
import { formatMoments } from "../../model/format.ts";
import { decimalId, hexId } from "../../model/ids.ts";
import { visible } from "../../model/text.ts";

/** `start` is the first moment of the recording: times are told from there. */
export function chipWords(chip: Chip, start: bigint): { label: string; value: string; full: string } {
  switch (chip.kind) {
    case "attribute": {
      const sign = chip.exclude ? "≠" : "=";
      const label = `${visible(chip.key, 60)} ${sign}`;
      return { label, value: visible(chip.value, 80), full: `${visible(chip.key)} ${sign} ${visible(chip.value)}` };
    }
    case "frame": {
      const label = chip.exclude ? "no frame" : "frame";
      return { label, value: `/${visible(chip.pattern, 80)}/`, full: `${label} /${visible(chip.pattern)}/` };
    }
    case "time": {
      const value = formatMoments(chip.from - start, chip.to - start);
      return { label: "time", value, full: `${value} after the first sample` };
    }
    default: {
      const label = chip.kind === "span" ? "span" : "local root";
      return { label, value: decimalId(chip.id), full: `${label} ${chip.id} (0x${hexId(chip.id)})` };
    }
  }
}
