/** Files that the system opens with the installed page: `file_handlers` of public/manifest.webmanifest. */
import { useEffect } from "react";
import type { Take } from "../symbols/use-taking.ts";
import { filesOf } from "./inputs.ts";

/** The part of the browser's `launchQueue` that is used; TypeScript's library has none of it. */
interface LaunchQueue {
  setConsumer(consumer: (launch: { files?: readonly FileSystemFileHandle[] }) => void): void;
}

/** Opens them in place of the recording. Does nothing in browsers without installed pages. */
export function useLaunch(take: Take): void {
  useEffect(() => {
    const { launchQueue } = window as { launchQueue?: LaunchQueue };
    launchQueue?.setConsumer(({ files = [] }) => {
      if (files.length === 0) return;
      take(async () => filesOf(await Promise.all(files.map((file) => file.getFile()))), "replace");
    });
  }, [take]);
}
