import type { LucideIcon } from "lucide-react";
import { useRef } from "react";
import type { InputFile } from "../../../worker/api.ts";
import { Icon, IconButton } from "../../primitives/icon/Icon.tsx";
import { useToast } from "../../primitives/toast/toasts.ts";
import { filesOf } from "./inputs.ts";

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

/** A button that opens the system's file dialogue. */
export function FilePicker({ label, icon, look, className, testId, isFolder = false, onFiles }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const toast = useToast();
  const pick = async (list: File[]) => {
    try {
      const files = isFolder ? (await import("./folders.ts")).chosenFolder(list) : filesOf(list);
      if (files.length > 0) onFiles(files);
    } catch (error) {
      toast.show({ tone: "error", text: error instanceof Error ? error.message : String(error) });
    }
  };
  return (
    <>
      {icon !== undefined && look === undefined ? (
        <IconButton icon={icon} label={label} onClick={() => input.current?.click()} />
      ) : (
        <button type="button" data-look={look} className={className} onClick={() => input.current?.click()}>
          {icon !== undefined && <Icon of={icon} />} {label}
        </button>
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
