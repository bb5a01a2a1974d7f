import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { Icon } from "../icon/Icon.tsx";
import css from "./DialogParts.module.css";

/** What dims the page below a dialog or a sheet. */
export function Scrim() {
  return <Base.Backdrop className={css.scrim} />;
}

/** The title of a dialog or a sheet, and the cross that closes it. */
export function DialogHead({ title }: { title: string }) {
  return (
    <div className={css.head}>
      <Base.Title className={css.title}>{title}</Base.Title>
      <Base.Close data-look="icon" aria-label="Close">
        <Icon of={X} />
      </Base.Close>
    </div>
  );
}
