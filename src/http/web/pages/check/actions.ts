/** The buttons of the page of a check. */
import type { StoredStatus } from '../../../../domain/check/check.ts'
import { type Html, html } from '../../html.ts'
import { linkButton, submit } from '../../parts/forms/buttons.ts'
import { moreMenu } from '../../parts/menu.ts'
import type { CheckContext } from './context.ts'

/** What the buttons ask for. */
export const ACTIONS = {
  ping: { name: 'action', value: 'ping' },
  pause: { name: 'action', value: 'pause' },
  resume: { name: 'action', value: 'resume' },
} as const

export function actionButtons(status: StoredStatus, { pageHref }: CheckContext): Html {
  const pause =
    status === 'paused'
      ? submit({ text: 'Resume', icon: 'resume', field: ACTIONS.resume, key: 'p' })
      : submit({ text: 'Pause', icon: 'pause', field: ACTIONS.pause, key: 'p' })
  const menu = moreMenu('More actions: rules, copy, transfer, clear, delete', [
    { text: 'Filtering rules', href: pageHref('rules') },
    { text: 'Copy check…', href: pageHref('copy') },
    { text: 'Transfer check…', href: pageHref('transfer') },
    { text: 'Clear log…', href: pageHref('clear'), isDanger: true },
    { text: 'Delete check…', href: pageHref('delete'), isDanger: true },
  ])
  return html`<form class="acts" method="post" action="${pageHref()}">${submit({ text: 'Ping now', icon: 'send', field: ACTIONS.ping })}${pause}</form>${linkButton({ text: 'Edit…', icon: 'edit', href: pageHref('edit') })}${menu}`
}
