/** Severities of incidents. At present, every incident is `down`; `warning` is not a check status yet. */
export const SEVERITIES = ['warning', 'down'] as const

export type Severity = (typeof SEVERITIES)[number]

/** Whether a limit, such as a silence's, includes this severity. */
export function covers(limit: Severity, severity: Severity): boolean {
  return SEVERITIES.indexOf(limit) >= SEVERITIES.indexOf(severity)
}
