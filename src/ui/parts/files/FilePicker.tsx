import type { LucideIcon } from "lucide-react";
import { useRef } from "react";
import type { InputFile } from "../../../worker/api.ts";
import { Button, Icon, IconButton } from "../../primitives/icon/Icon.tsx";
import { showToast } from "../../primitives/toast/toasts.ts";
import { filesOf, keepHandles } from "./inputs.ts";

interface Props {
  label: string;
  /** Stands for the label, which is then the name. */
  icon?: LucideIcon;
  look?: "primary";
  className?: string | undefined;
  testId?: string;
  /** The dialogue picks a folder, of which recordings and dumps are read. */
  isFolder?: boolean;
  onFiles: (files: InputFile[]) => void;
}

/** TypeScript's library does not have it, and only some browsers do. */
const { showOpenFilePicker } = globalThis as {
  showOpenFilePicker?: (options: { multiple: boolean }) => Promise<FileSystemFileHandle[]>;
};

/** The files that the user chooses, none if that is cancelled. Their handles are kept for the welcome page. */
async function pickHandles(open: NonNullable<typeof showOpenFilePicker>): Promise<File[]> {
  const handles = await open.call(window, { multiple: true }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === "AbortError") return [];
    throw error;
  });
  if (handles.length > 0) keepHandles(handles);
  return Promise.all(handles.map((handle) => handle.getFile()));
}

/** A button that opens the system's file dialogue. */
export function FilePicker({ label, icon, look, className, testId, isFolder = false, onFiles }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const pick = async (list: File[]) => {
    try {
      const files = isFolder ? (await import("./folders.ts")).chosenFolder(list) : filesOf(list);
      if (files.length > 0) onFiles(files);
    } catch (error) {
      showToast({ tone: "error", text: error instanceof Error ? error.message : String(error) });
    }
  };
  const choose = () => {
    if (isFolder || showOpenFilePicker === undefined) return input.current?.click();
    pickHandles(showOpenFilePicker).then(pick, () => input.current?.click());
  };
  return (
    <>
      {icon !== undefined && look === undefined ? (
        <IconButton icon={icon} label={label} onClick={choose} />
      ) : (
        <Button look={look} className={className} onClick={choose}>
          {icon !== undefined && <Icon of={icon} />} {label}
        </Button>
      )}
      <input
        ref={input}
        type="file"
        multiple
        hidden
        {...(isFolder && { webkitdirectory: "" })}
        data-testid={testId ?? (isFolder ? "folder-input" : "file-input")}
        onChange={(event) => {
          const { files } = event.currentTarget;
          if (files !== null && files.length > 0) void pick([...files]);
          // The same file picked again must fire again.
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}
