import type { LucideIcon } from "lucide-react";
import { useRef, useState } from "react";
import { IconButton } from "../icon/Icon.tsx";
import { likelySoon, useLazy } from "../lazy/lazy.ts";
import { toastFailure } from "../toast/toasts.ts";
import type { MenuItem } from "./MenuPanel.tsx";

const PANEL = likelySoon(() => import("./MenuPanel.tsx").then(({ MenuPanel }) => MenuPanel));

interface Props {
  icon: LucideIcon;
  label: string;
  testId: string;
  groups: MenuItem[][];
}

/** A button with an icon that opens a menu. */
export function MenuButton({ icon, label, testId, groups }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const Panel = useLazy(open ? PANEL : null, toastFailure);
  return (
    <>
      <IconButton
        ref={button}
        icon={icon}
        label={label}
        testId={testId}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      />
      {open && Panel !== null && button.current !== null && (
        <Panel
          at={button.current}
          title={label}
          testId={`${testId}-menu`}
          groups={groups}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
