/** Actions of the user on the query of an open recording, and the failure that the last question ended with. */
import { useCallback, useState } from "react";
import { chooseIdKind, type Find } from "../../model/query/find.ts";
import type { UndoableAction } from "../../model/query/undo.ts";
import type { Failure, Overview } from "../../worker/api.ts";
import { viewer } from "../../worker/client.ts";

export function useRecordingActions(
  overview: Overview,
  act: (action: UndoableAction) => void,
  onFatal: (failure: Failure) => void,
) {
  const [failure, setFailure] = useState<Failure | null>(null);
  const onFailure = useCallback(
    (error: Failure) => (error.lost === true ? onFatal(error) : setFailure(error)),
    [onFatal],
  );
  const user = useCallback(
    (action: UndoableAction) => {
      setFailure(null);
      act(action);
    },
    [act],
  );

  const onFind = async (find: Exclude<Find, { kind: "error" }>) => {
    if (find.kind === "chip") return user({ kind: "add", chip: find.chip });
    const { id } = find;
    const answers = await Promise.all(
      overview.profiles.map((each) => viewer.totals({ profile: each.id, measure: 0, filter: { localRoot: id } })),
    );
    const kind = chooseIdKind(
      id,
      answers.flatMap((answer) => (answer.ok ? [answer.value] : [])),
    );
    user({ kind: "only-id", chip: { kind, id } });
  };
  return { failure, onFailure, user, onFind };
}
