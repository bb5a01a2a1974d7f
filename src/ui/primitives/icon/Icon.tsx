import type { LucideIcon } from "lucide-react";
import { type ComponentProps, memo } from "react";
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

interface ButtonProps extends ComponentProps<"button"> {
  /** Of theme/base.css. */
  look?: "primary" | "quiet" | "icon" | undefined;
  tip?: string | undefined;
  testId?: string | undefined;
}

/** A button that does something at once; one that submits a form is the browser's own. */
export function Button({ look, tip, testId, ...rest }: ButtonProps) {
  return <button type="button" data-look={look} data-tip={tip} data-testid={testId} {...rest} />;
}

interface IconButtonProps extends Omit<ButtonProps, "title" | "children" | "look"> {
  icon: LucideIcon;
  /** Name of the button, and its tooltip where `tip` has no other. */
  label: string;
}

/** A quiet square button with an icon; the tooltip shows its name. */
export function IconButton({ icon, label, tip = label, ...rest }: IconButtonProps) {
  return (
    <Button look="icon" aria-label={label} tip={tip} {...rest}>
      <Icon of={icon} />
    </Button>
  );
}
