/** A picture as pixels, drawn by the browser from its SVG. */
import type { Picture } from "../../../report/picture.ts";

/** For dense screens. */
const SCALE = 2;
/** What every browser's canvas still takes: pixels of a side, and of all. */
const MOST_SIDE = 16_384;
const MOST_PIXELS = 2 ** 27;

export interface Png {
  blob: Blob;
  width: number;
  height: number;
}

/** Deep graphs come out smaller than twice their size, so that they come out whole. */
export async function pngOf(svg: string, { width, height }: Pick<Picture, "width" | "height">): Promise<Png> {
  const scale = Math.min(SCALE, MOST_SIDE / Math.max(width, height), Math.sqrt(MOST_PIXELS / (width * height)));
  const canvas = document.createElement("canvas");
  canvas.width = Math.floor(width * scale);
  canvas.height = Math.floor(height * scale);
  const image = new Image();
  // The page's policy allows images of its origin and data: URLs only.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob === null) throw new Error("the browser drew no picture of this size");
  return { blob, width: canvas.width, height: canvas.height };
}
