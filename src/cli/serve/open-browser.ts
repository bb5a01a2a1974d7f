/**
 * Opens the default browser. The address is printed anyway, so no step here waits or fails. The address contains an
 * access token, and every user of the machine can read the arguments of a process. So the browser gets a page that only
 * this user can read, and that page leads to the address.
 */
import { spawn } from "node:child_process";
import { pathToFileURL } from "node:url";
import { Folder } from "../../node/disk.ts";

interface OpenCommand {
  command: string;
  args: string[];
  /** cmd.exe parses its own line; quoting by Node would double up. */
  verbatim: boolean;
}

/** The platform's command that opens an address with the user's default program. */
export function openCommand(platform: NodeJS.Platform, url: string): OpenCommand {
  if (platform === "darwin") return { command: "open", args: [url], verbatim: false };
  if (platform === "win32") {
    // `start` takes a first quoted argument as the window's title; & would end the command.
    return { command: "cmd", args: ["/c", "start", '""', url.replaceAll("&", "^&")], verbatim: true };
  }
  return { command: "xdg-open", args: [url], verbatim: false };
}

/** A page without a script or a referrer that leads to the address. */
export function redirectPage(url: string): string {
  const escaped = url.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<meta http-equiv="refresh" content="0; url=${escaped}">
<title>Spanflame</title>
<p><a href="${escaped}" rel="noreferrer">Open Spanflame</a></p>
</html>
`;
}

/**
 * Starts the default browser and returns at once; a machine without one is left alone. The result removes the page
 * again.
 */
export function openBrowser(url: string, onFailed = () => {}): () => void {
  let folder: Folder | null = null;
  const remove = () => {
    folder?.removeAll();
    folder = null;
  };
  try {
    // Only this user can enter the folder.
    folder = Folder.temporary("spanflame-");
    folder.write("open.html", redirectPage(url), 0o600);
    const page = pathToFileURL(folder.at("open.html"));
    const { command, args, verbatim } = openCommand(process.platform, page.href);
    const child = spawn(command, args, { stdio: "ignore", detached: true, windowsVerbatimArguments: verbatim });
    child.on("error", () => {
      remove();
      onFailed();
    });
    child.unref();
  } catch {
    // No room for the page; or no such command, which some platforms report at once.
    remove();
    onFailed();
  }
  return remove;
}
