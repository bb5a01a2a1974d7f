import type { LucideIcon } from "lucide-react";
import type { ButtonHTMLAttributes, Ref } from "react";
import { memo } from "react";
import css from "./Icon.module.css";

interface Props {
  /** Imported by its name from lucide-react, so that only the icons in use are in the scripts. */
  of: LucideIcon;
  /** Pixels; 16 goes with text of 13. */
  size?: number;
  className?: string | undefined;
}

/** An icon of one weight and baseline everywhere. It is decoration: the control around it has the name. */
export const Icon = memo(function Icon({ of: Drawn, size = 16, className = "" }: Props) {
  return <Drawn size={size} strokeWidth={2} aria-hidden className={`${css.icon} ${className}`} />;
});

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "title" | "children"> {
  icon: LucideIcon;
  /** Name of the button, and its tooltip where `tip` has no other. */
  label: string;
  tip?: string | undefined;
  testId?: string | undefined;
  ref?: Ref<HTMLButtonElement> | undefined;
}

/** A quiet square button with an icon; the tooltip shows its name. */
export function IconButton({ icon, label, tip = label, testId, ...rest }: IconButtonProps) {
  return (
    <button type="button" data-look="icon" aria-label={label} data-tip={tip} data-testid={testId} {...rest}>
      <Icon of={icon} />
    </button>
  );
}
