/** The severities of incidents. Only `down` is a status of a check, and every incident has it until checks can warn. */
const SEVERITIES = ['warning', 'down'] as const

export type Severity = (typeof SEVERITIES)[number]

/** Whether what was given up to `limit`, such as a silence, holds for this severity too. */
export function covers(limit: Severity, severity: Severity): boolean {
  return SEVERITIES.indexOf(limit) >= SEVERITIES.indexOf(severity)
}
