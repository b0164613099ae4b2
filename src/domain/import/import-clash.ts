/** Things that another project has already, so an import cannot bring them. */

const CLASH_KINDS = ['project', 'project-name', 'badge-key', 'key', 'check', 'channel', 'status-page'] as const
export type ClashKind = (typeof CLASH_KINDS)[number]

/** Without what is taken, which may be a secret. */
export const CLASH_SENTENCES: Readonly<Record<ClashKind, string>> = {
  project: 'there is a project with its id',
  'project-name': 'another project has its name',
  'badge-key': 'another project has its badge key',
  key: 'one of its keys is the key of a project',
  check: 'one of its checks is here already',
  channel: 'one of its integrations is here already',
  'status-page': 'another status page has its address',
}
