/** The attribute keys that have a value somewhere in the profile: the others would only lead to an empty list. */
import { useEffect, useState } from "react";
import { viewer } from "../../worker/client.ts";

/** More keys than this are all offered: to look through them would cost more than it is worth. */
const MOST_KEYS = 40;

export function useKeys(profile: number, attributeKeys: string[]): string[] {
  const [known, setKnown] = useState<{ profile: number; keys: string[] } | null>(null);
  useEffect(() => {
    if (attributeKeys.length > MOST_KEYS) return;
    let wanted = true;
    const ask = async () => {
      const lists = await Promise.all(attributeKeys.map((key) => keyIfUsed(profile, key)));
      if (wanted) setKnown({ profile, keys: lists.flat() });
    };
    // Behind the questions of the same drawing: the graph comes first.
    const timer = setTimeout(() => void ask(), 0);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [profile, attributeKeys]);
  return known?.profile === profile ? known.keys : attributeKeys;
}

async function keyIfUsed(profile: number, key: string): Promise<string[]> {
  const page = await viewer.rank({ profile, filter: {} }, { kind: "attribute", key }, 0, 0);
  return page.ok && page.value.count === 0 ? [] : [key];
}
