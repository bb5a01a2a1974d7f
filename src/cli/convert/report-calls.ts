/** The calls of a report of dumps: the slowest, and the parameters of the frames of all. */
import type { Core } from "../../core/core.ts";
import type { OpenRun } from "../../input/dump/read-dumps.ts";
import { type Call, isRed, netOf, titleOf } from "../../model/calls/call.ts";
import { byFigure } from "../../model/calls/call-orders.ts";
import { REPORT_CALLS, type ReportCalls } from "../../report/calls.ts";
import { paramsOfCalls } from "../calls/call-params.ts";

export async function reportCalls(core: Core, runs: readonly OpenRun[], calls: readonly Call[]): Promise<ReportCalls> {
  const sum = (figure: (call: Call) => bigint) => Number(calls.reduce((all, call) => all + figure(call), 0n));
  const slowest = calls.toSorted(byFigure("duration")).slice(0, REPORT_CALLS);
  const { answer } = await paramsOfCalls(
    core,
    runs,
    calls.map(({ number }) => number),
  );
  return {
    count: calls.length,
    duration: sum(({ duration }) => duration),
    suspension: sum(({ suspension }) => suspension),
    rows: slowest.map((call) => ({
      id: call.id,
      title: titleOf(call),
      name: call.name,
      thread: call.thread,
      red: isRed(call),
      start: Number(call.start),
      duration: Number(call.duration),
      net: Number(netOf(call)),
      suspension: Number(call.suspension),
      cpu: call.cpu === null ? null : Number(call.cpu),
      memory: call.memory === null ? null : Number(call.memory),
      frames: call.enters,
      params: Object.entries(call.params).map(([name, values]) => ({ name, values })),
    })),
    params: answer,
  };
}
