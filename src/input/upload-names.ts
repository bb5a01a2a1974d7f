/** Names of the files in an upload of Datadog's profilers that are no attachments with samples. */

export function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Whether a file is named as the description is (upload-event.ts). */
export function isEventName(name: string): boolean {
  return /^event(\.json)?$/.test(fileName(name));
}

/** Whether a file is named as that with the figures of the profiler is. */
export function isFigures(name: string): boolean {
  return fileName(name) === "metrics.json";
}
