/** Options that set an end time: `--for SPAN` and `--until TIME`. `read-end.ts` parses them. */

export const END_OPTIONS = {
  for: { type: 'string', value: 'SPAN' },
  until: { type: 'string', value: 'TIME', instead: 'for' },
} as const

export const END_HELP = 'SPAN is a duration from now, such as 20m, 2h or 1d; TIME is a time such as 2026-11-17T03:00Z.'
