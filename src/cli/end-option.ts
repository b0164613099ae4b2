/** Options for the end of something: `--for SPAN` and `--until TIME`. `read-end.ts` reads them. */

export const END_OPTIONS = {
  for: { type: 'string', value: 'SPAN' },
  until: { type: 'string', value: 'TIME', instead: 'for' },
} as const

export const END_HELP = 'SPAN is like 20m, 2h or 1d, from now on; TIME is a time such as 2026-11-17T03:00Z.'
