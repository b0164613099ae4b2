/** Options and words about checks that several commands share. */
import type { LABEL_FIELDS, Members, TIMING_FIELDS, Written } from '../../domain/check/fields.ts'
import type { Option } from '../command.ts'

export const CHECK_HELP = 'CHECK is a name, a slug or a UUID, or the beginning of one that no other check has.'

type SpecOption = keyof Members<Written<typeof LABEL_FIELDS & typeof TIMING_FIELDS>> | 'channels'

/** The members of a check that people can set. */
export const SPEC_OPTIONS: Readonly<Record<SpecOption, Option>> = {
  name: { type: 'string', required: true },
  slug: { type: 'string' },
  tags: { type: 'string' },
  desc: { type: 'string' },
  timeout: { type: 'string' },
  grace: { type: 'string' },
  schedule: { type: 'string' },
  tz: { type: 'string' },
  channels: { type: 'string' },
}
