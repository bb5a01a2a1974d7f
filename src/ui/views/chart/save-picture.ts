/** The shown part of a chart as a picture. Loaded when it is first asked for. */
import { shownRow } from "../../../model/words/shown-formats.ts";
import { type ChartSubject, chartPicture } from "../../../report/chart-picture.ts";
import { pngOf } from "../../parts/export/png.ts";
import { saveBlob } from "../../parts/export/save-blob.ts";

export async function savePicture(subject: ChartSubject, format: "svg" | "png", dark: boolean): Promise<void> {
  const picture = chartPicture(subject, dark);
  const svg = [...picture.parts].join("");
  const blob =
    format === "svg" ? new Blob([svg], { type: shownRow(format)?.mediaType ?? "" }) : (await pngOf(svg, picture)).blob;
  saveBlob(blob, `${fileName(subject.title)}.${format}`);
}

/** Letters and digits of any script. */
function fileName(title: string): string {
  const name = title.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[.-]+|[.-]+$/g, "");
  return name.slice(0, 80) || "chart";
}
