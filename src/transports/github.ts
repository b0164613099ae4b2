/** `github`: a new issue in a repository for each check that goes down. */

import type { Fact } from '../domain/alert/notification.ts'
import { type Static, Text, Type } from '../domain/schema.ts'
import { oneLine } from '../lib/text/text.ts'
import { disableWhen } from './parts/final-answer.ts'
import { describeIssue } from './parts/issue.ts'
import { jsonRequest } from './parts/json-request.ts'
import { outputsOf } from './parts/outputs.ts'
import { wantsOnlyDown } from './parts/status-flags.ts'
import { sampleOf, sampleSecret } from './sample.ts'
import { type Alert, defineTransport } from './transport.ts'

const Settings = Type.Object({
  token: Text({
    title: 'Access token',
    description: "A fine-grained personal access token with write access to the repository's issues.",
    pattern: '^[!-~]+$',
    means: 'a token, which contains letters, digits and punctuation, but no spaces',
    maxLength: 255,
    isSecret: true,
  }),
  repo: Text({
    title: 'Repository',
    description: 'owner/name',
    // A part that consists only of dots would point to another path.
    pattern: '^(?!\\.{1,2}/)[A-Za-z0-9._\\-]+/(?!\\.{1,2}$)[A-Za-z0-9._\\-]+$',
    means: 'a repository such as owner/name',
    maxLength: 200,
    examples: ['owner/name'],
  }),
  labels: Type.Array(Text({ pattern: '.', maxLength: 50 }), {
    title: 'Labels',
    description: 'Added to each issue. One per line.',
  }),
})

export const github = defineTransport({
  kind: 'github',
  name: 'GitHub',
  mark: 'GH',
  about: 'an issue',
  carrier: 'http',
  settings: Settings,
  sample: sampleOf(
    { token: sampleSecret('github'), repo: 'owner/name', labels: ['backup', 'urgent'] },
    { token: 'two words', repo: 'owner', labels: 'x'.repeat(60) },
  ),
  wants: wantsOnlyDown,
  render,
  // Status 410 means that issues are disabled in the repository.
  judge: disableWhen(({ status }) => status === 410),
})

function render({ message }: Alert, { token, repo, labels }: Static<typeof Settings>): Request {
  const payload = {
    title: oneLine(`${message.name} is DOWN`),
    body: [describeIssue(message), ...outputsOf(message).flatMap(outputPart)].join('\n\n'),
    labels,
  }
  return jsonRequest(`https://api.github.com/repos/${repo}/issues`, payload, {
    headers: { Accept: 'application/vnd.github+json', Authorization: `Bearer ${token}` },
  })
}

/** Omits an output that contains the fence, because the rest of the output would be parsed as Markdown. */
function outputPart({ label, value }: Fact): string[] {
  return value.includes('```') ? [] : [`**${label}:**`, `\`\`\`\n${value}\n\`\`\``]
}
