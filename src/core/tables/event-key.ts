/** Attribute of samples with the name of their event (assembly/store/keys.ts): profiles of several events have it. */
export const EVENT_KEY = "jfr.event";

/** A wait for a monitor that its owner notifies; other events of its profile wait to enter one. */
export const MONITOR_WAIT = "jdk.JavaMonitorWait";
