/** Opening the default browser is a courtesy: the address is printed anyway, so nothing here waits or fails. */
import { spawn } from "node:child_process";

interface OpenCommand {
  command: string;
  args: string[];
  /** cmd.exe parses its own line; quoting by Node would double up. */
  verbatim: boolean;
}

/** How this platform opens an address with what its user chose. */
export function openCommand(platform: NodeJS.Platform, url: string): OpenCommand {
  if (platform === "darwin") return { command: "open", args: [url], verbatim: false };
  if (platform === "win32") {
    // `start` takes a first quoted argument as the window's title; & would end the command.
    return { command: "cmd", args: ["/c", "start", '""', url.replaceAll("&", "^&")], verbatim: true };
  }
  return { command: "xdg-open", args: [url], verbatim: false };
}

/** Starts the default browser and returns at once; a machine without one is left alone. */
export function openBrowser(url: string): void {
  const { command, args, verbatim } = openCommand(process.platform, url);
  try {
    const child = spawn(command, args, { stdio: "ignore", detached: true, windowsVerbatimArguments: verbatim });
    child.on("error", () => {});
    child.unref();
  } catch {
    // Same as the error event: some platforms report a missing command at once.
  }
}
