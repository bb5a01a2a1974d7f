/** Commands that find the debug file of a native library, for shells of Linux. */
import { shellWords } from "../query/written/command-line.ts";

export interface SymbolCommand {
  /** Where it runs. */
  place: string;
  command: string;
  /** Package that has the command, or what the command does. */
  about: string;
}

/** Letters of a build id that are the folder in a `.build-id` tree. */
const FOLDER = 2;
const DEBIAN = "https://debuginfod.debian.net";
const FEDORA = "https://debuginfod.fedoraproject.org";

/** `name`: base name of the library, "" if unknown. `buildId`: "" if unknown. Both may be any text of a recording. */
export function symbolCommands(name: string, buildId: string): SymbolCommand[] {
  const file = isPlain(name) ? name : "LIBRARY";
  const byFile = [
    {
      place: "Container (Docker)",
      command: `docker cp "CONTAINER:$(docker exec CONTAINER find / -name ${quoted(file)} -print -quit)" .`,
      about: "Copies the library that the container has; it names exported functions at least.",
    },
    {
      place: "Container (Kubernetes)",
      command: `kubectl cp "POD:$(kubectl exec POD -- find / -name ${quoted(file)} -print -quit)" ${quoted(file)}`,
      about: "Copies the library out of a pod.",
    },
  ];
  if (!/^[0-9a-f]{4,}$/.test(buildId)) return byFile;
  const tree = `/usr/lib/debug/.build-id/${buildId.slice(0, FOLDER)}/${buildId.slice(FOLDER)}.debug`;
  return [
    {
      place: "Debian",
      command: `DEBUGINFOD_URLS=${DEBIAN} debuginfod-find debuginfo ${buildId}`,
      about: "Package debuginfod. It prints the path of the debug file.",
    },
    {
      place: "Debian, package",
      command: `find-dbgsym-packages "$(find / -name ${quoted(file)} -print -quit 2>/dev/null)"`,
      about: "Package debian-goodies. It prints the package to install; the debug file is then in /usr/lib/debug.",
    },
    {
      place: "Fedora",
      command: `DEBUGINFOD_URLS=${FEDORA} debuginfod-find debuginfo ${buildId}`,
      about: "Package elfutils-debuginfod-client. It prints the path of the debug file.",
    },
    {
      place: "Fedora, package",
      command: `dnf --enablerepo='*debug*' install ${tree}`,
      about: "Installs the package with the debug file.",
    },
    ...byFile,
    {
      place: "Running process",
      command: `eu-unstrip -n -p PID | grep ${buildId}`,
      about: "Package elfutils. It prints the path of the library with this build id.",
    },
  ];
}

const quoted = (word: string) => shellWords([word]);

/** Whether a name is the base name of a file, without characters that a terminal or a reader may take for others. */
function isPlain(name: string): boolean {
  return /^[\w+.,@=-]{1,200}$/.test(name) && !name.startsWith("-");
}
