/** Actions of the user on the query of an open recording, and the failure that the last question ended with. */
import { useCallback, useState } from "react";
import { chooseIdKind, type Find } from "../../model/query/find.ts";
import type { QueryState } from "../../model/query/query.ts";
import type { UndoableAction } from "../../model/query/undo.ts";
import type { Failure, InputFile, Overview } from "../../worker/api.ts";
import { viewer } from "../../worker/client.ts";
import { namedApart } from "../open/inputs.ts";

interface Bar {
  files: InputFile[];
  onChange: (files: InputFile[], onOpened?: () => void) => void;
}

export function useRecordingActions(
  overview: Overview,
  query: QueryState,
  act: (action: UndoableAction) => void,
  bar: Bar,
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

  const onCompareWith = (added: InputFile[]) => {
    const all = namedApart([...bar.files, ...added]);
    const [first, other] = [all[0], all[bar.files.length]];
    if (first === undefined || other === undefined) return;
    const file = query.filter.file ?? first.name;
    bar.onChange(all, () => user({ kind: "baseline", baseline: `file:${other.name}`, file }));
  };

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
  return { failure, onFailure, user, onCompareWith, onFind };
}
