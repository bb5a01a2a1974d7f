import type { LucideIcon } from "lucide-react";
import type { ButtonHTMLAttributes, Ref } from "react";
import { Icon } from "./Icon.tsx";

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "title" | "children"> {
  icon: LucideIcon;
  /** Name of the button, and its tooltip where `tip` has no other. */
  label: string;
  tip?: string | undefined;
  testId?: string | undefined;
  ref?: Ref<HTMLButtonElement> | undefined;
}

/** A quiet square button with an icon; the tooltip shows its name. */
export function IconButton({ icon, label, tip = label, testId, ...rest }: Props) {
  return (
    <button type="button" data-look="icon" aria-label={label} data-tip={tip} data-testid={testId} {...rest}>
      <Icon of={icon} />
    </button>
  );
}
