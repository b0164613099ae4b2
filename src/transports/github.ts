/** `github`: an issue in a repository of the user's own for each check that goes down. */
import { type Static, Text, Type } from '../domain/schema.ts'
import { oneLine, printable } from '../domain/text.ts'
import { disableWhen } from './final-answer.ts'
import { describeIssue } from './issue.ts'
import { jsonRequest } from './json-request.ts'
import { type Alert, defineTransport } from './transport.ts'

const Settings = Type.Object({
  token: Text({
    title: 'Access token',
    description: 'A fine-grained personal access token that may write issues of the repository.',
    pattern: '^[!-~]+$',
    maxLength: 255,
  }),
  repo: Text({
    title: 'Repository',
    description: 'owner/name',
    // A part of dots alone would lead to another address.
    pattern: '^(?!\\.{1,2}/)[A-Za-z0-9._\\-]+/(?!\\.{1,2}$)[A-Za-z0-9._\\-]+$',
    maxLength: 200,
  }),
  labels: Type.Array(Text({ pattern: '.', maxLength: 50 }), { title: 'Labels', description: 'Put on each issue.' }),
})

export const github = defineTransport({
  kind: 'github',
  carrier: 'http',
  settings: Settings,
  wants: (_, { newStatus }) => newStatus === 'down',
  render,
  // 410: the repository has its issues switched off.
  judge: disableWhen(({ status }) => status === 410),
})

function render({ message }: Alert, { token, repo, labels }: Static<typeof Settings>): Request {
  const payload = {
    title: oneLine(`${message.name} is DOWN`),
    body: describeIssue(message) + lastPingBody(message.body),
    labels,
  }
  return jsonRequest(`https://api.github.com/repos/${repo}/issues`, payload, {
    headers: { Accept: 'application/vnd.github+json', Authorization: `Bearer ${token}` },
  })
}

/** What would end the block of code early is left out: it is not ours, and would be read as Markdown. */
function lastPingBody(body: string | null): string {
  const text = printable(body ?? '')
  return text === '' || text.includes('```') ? '' : `\n\n**Last Ping Body:**\n\n\`\`\`\n${text}\n\`\`\``
}
