/** The severities of incidents. So far, every incident is `down`; `warning` is not a status of a check yet. */
export const SEVERITIES = ['warning', 'down'] as const

export type Severity = (typeof SEVERITIES)[number]

/** Whether a limit, such as that of a silence, includes this severity. */
export function covers(limit: Severity, severity: Severity): boolean {
  return SEVERITIES.indexOf(limit) >= SEVERITIES.indexOf(severity)
}
