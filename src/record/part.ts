/**
 * A part of a recording in the making: the tables of a builder without the library around it. They are small and ready
 * at once, so that a program neither waits for the library nor pays for it, and can write its last part while it ends.
 */

import { VERSION } from "../core/version.ts";
import { messageOf } from "../library/builder/message.ts";
import type { ProfileHead } from "../library/builder/profile-rows.ts";
import { ProfileRows } from "../library/builder/profile-rows.ts";
import { BuilderTables } from "../library/builder/tables.ts";

/** What a profile is of: names, and the period in nanoseconds. */
export interface PartProfile {
  type: string;
  unit: string;
  periodType?: string;
  periodUnit?: string;
  period?: bigint;
  times: boolean;
}

export class Part {
  readonly tables = new BuilderTables();
  private readonly profiles: ProfileRows[] = [];
  private readonly owner: Pick<ProfileHead, "resource" | "scope">;

  constructor(resource: Readonly<Record<string, string | bigint>>) {
    const { tables } = this;
    this.owner = {
      resource: tables.resource(tables.setOfObject(resource, "resource"), 0),
      scope: tables.scope(tables.text("spanflame"), tables.text(VERSION), 0, 0),
    };
  }

  profile({ type, unit, periodType = "", periodUnit = "", period = 0n, times }: PartProfile): ProfileRows {
    const { tables } = this;
    const rows = new ProfileRows(tables, {
      ...{ type: tables.text(type), unit: tables.text(unit), period, times, ...this.owner },
      ...{ periodType: tables.text(periodType), periodUnit: tables.text(periodUnit) },
      ...{ start: 0n, duration: 0n, id: new Uint8Array(0), set: 0 },
    });
    this.profiles.push(rows);
    return rows;
  }

  /** The row of a function of a program, as a frame of stacks. */
  location(name: string, file: string, startLine: number, type: string): number {
    const { tables } = this;
    const fn = tables.function(tables.text(name), 0, tables.text(file), BigInt(startLine));
    const set = tables.set([tables.attribute("profile.frame.type", type)], "location");
    return tables.location(0, 0n, set, tables.line(fn, 0n, 0n));
  }

  /** The part as a message of OTLP. */
  message(): Uint8Array {
    return messageOf(this.tables, this.profiles).bytes;
  }
}
