import { Toast } from "@base-ui/react/toast";
import { CircleCheck, Info, type LucideIcon, TriangleAlert, X } from "lucide-react";
import { useEffect } from "react";
import { Icon } from "../icon/Icon.tsx";
import css from "./ToastRegion.module.css";
import { takeToasts, type Toast as Wanted } from "./toasts.ts";

const ICONS: Record<Wanted["tone"], LucideIcon> = { info: Info, success: CircleCheck, error: TriangleAlert };
/** Long enough to read; an error or something to do stays longer. The pointer or the focus on it stops the clock. */
const SHORT_MS = 5_000;
const LONG_MS = 12_000;

const manager = Toast.createToastManager();

export function ToastRegion() {
  useEffect(() => takeToasts(add), []);
  return (
    <Toast.Provider toastManager={manager} limit={3}>
      <Toast.Portal>
        <Toast.Viewport className={css.viewport}>
          <Shown />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function add({ tone, text, action }: Wanted): void {
  const id = manager.add({
    type: tone,
    description: text,
    priority: tone === "error" ? "high" : "low",
    timeout: tone === "error" || action !== undefined ? LONG_MS : SHORT_MS,
    ...(action !== undefined && {
      actionProps: {
        children: action.label,
        onClick: () => {
          manager.close(id);
          action.run();
        },
      },
    }),
  });
}

function Shown() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={css.toast} aria-label="Message" data-testid="toast">
      <Toast.Content className={css.content}>
        <Icon of={ICONS[toast.type as Wanted["tone"]] ?? Info} className={css.icon} />
        <Toast.Description className={css.text} />
        {toast.actionProps !== undefined && <Toast.Action className={css.action} data-testid="toast-action" />}
        <Toast.Close data-look="icon" aria-label="Close message" className={css.close}>
          <Icon of={X} size={14} />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}
