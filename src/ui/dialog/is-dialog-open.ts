/** Whether a dialog lies over the page: keys and pasted text are then not for the page. */
export function isDialogOpen(): boolean {
  return document.querySelector("[data-modal][data-open]") !== null;
}
