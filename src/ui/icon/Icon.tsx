import type { LucideIcon } from "lucide-react";
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
