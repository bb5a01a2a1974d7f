/** Hands a finished file to the browser's downloads. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The download has its own hold on the blob once it has started.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
