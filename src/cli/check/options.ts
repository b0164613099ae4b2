/** Check options and help texts that several commands share. */
import type { LABEL_FIELDS, Members, TIMING_FIELDS, Written } from '../../domain/check/fields.ts'
import type { Option } from '../command.ts'

export const CHECK_HELP = 'CHECK is a name, a slug or a UUID, or the beginning of one that no other check has.'

type Hyphened<Name> = Name extends `${infer First}_${infer Rest}` ? `${First}-${Hyphened<Rest>}` : Name

type SpecOption = Hyphened<keyof Members<Written<typeof LABEL_FIELDS & typeof TIMING_FIELDS>>> | 'channels'

/** Options for the fields of a check that users can set. Hyphens replace the underscores in API names. */
export const SPEC_OPTIONS: Readonly<Record<SpecOption, Option>> = {
  name: { type: 'string', value: 'NAME', required: true },
  slug: { type: 'string', value: 'SLUG' },
  tags: { type: 'string', value: 'TAGS' },
  desc: { type: 'string', value: 'TEXT' },
  timeout: { type: 'string', value: 'SPAN' },
  schedule: { type: 'string', value: 'EXPRESSION', instead: 'timeout' },
  tz: { type: 'string', value: 'ZONE', with: 'schedule' },
  grace: { type: 'string', value: 'SPAN' },
  channels: { type: 'string', value: 'LIST' },
}

/** Options of `overdue check set`, for any number of checks. */
export const SET_OPTIONS: Readonly<Record<string, Option>> = {
  timeout: SPEC_OPTIONS.timeout,
  schedule: SPEC_OPTIONS.schedule,
  'move-by': { type: 'string', value: 'MINUTES', instead: 'timeout' },
  tz: { type: 'string', value: 'ZONE' },
  grace: SPEC_OPTIONS.grace,
  methods: { type: 'string', choices: ['any', 'POST'] },
  channels: SPEC_OPTIONS.channels,
  'add-tags': { type: 'string', value: 'TAGS' },
  'remove-tags': { type: 'string', value: 'TAGS' },
  'dry-run': { type: 'boolean', default: false },
}
