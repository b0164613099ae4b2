/** The buttons on a check's page. */
import type { Check } from '../../../../domain/check/check.ts'
import { checkPath } from '../../href.ts'
import { type Html, html } from '../../html.ts'
import { linkButton, submit } from '../../parts/forms/buttons.ts'
import { moreMenu } from '../../parts/menu.ts'
import { muteMenu } from '../../parts/mute.ts'
import type { CheckContext } from './context.ts'

/** Form fields for the buttons, by action. */
export const ACTIONS = {
  ping: { name: 'action', value: 'ping' },
  pause: { name: 'action', value: 'pause' },
  resume: { name: 'action', value: 'resume' },
  watch: { name: 'action', value: 'watch' },
  take: { name: 'action', value: 'take' },
} as const

export function actionButtons({ status, publicId }: Pick<Check, 'status' | 'publicId'>, context: CheckContext): Html {
  const { pageHref, slug } = context
  const isPaused = status === 'paused'
  const form = (button: Html) => html`<form method="post" action="${pageHref()}">${button}</form>`
  const ping = submit({ text: 'Ping now', icon: 'send', field: ACTIONS.ping })
  const resume = submit({ text: 'Resume', icon: 'resume', field: ACTIONS.resume, key: 'p' })
  const pause = form(submit({ text: 'Pause', look: 'quiet', isWide: true, field: ACTIONS.pause, key: 'p' }))
  const menu = moreMenu(
    `More actions: ${isPaused ? '' : 'pause, '}copy, transfer, clear, delete`,
    [
      { text: 'Copy check…', href: pageHref('copy') },
      { text: 'Transfer check…', href: pageHref('transfer') },
      { text: 'Clear log…', href: pageHref('clear'), isDanger: true },
      { text: 'Delete check…', href: pageHref('delete'), isDanger: true },
    ],
    isPaused ? null : pause,
  )
  return html`<form class="acts" method="post" action="${pageHref()}">${ping}${isPaused && resume}</form>${muteMenu({ checks: [publicId], tags: [], isProject: false }, slug, checkPath(slug, publicId), context)}${linkButton({ text: 'Edit', icon: 'edit', href: pageHref('edit') })}${menu}`
}
