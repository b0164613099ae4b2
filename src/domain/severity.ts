/** Severities of incidents. At present, every incident is `down`; there is no check status for `warning` yet. */
export const SEVERITIES = ['warning', 'down'] as const

export type Severity = (typeof SEVERITIES)[number]

/** Whether a maximum severity, such as that of a silence, includes this severity. */
export function covers(limit: Severity, severity: Severity): boolean {
  return SEVERITIES.indexOf(limit) >= SEVERITIES.indexOf(severity)
}
