/** The pages for muting checks for a limited time. */
import type { Page } from '../../page.ts'
import { checksMenu } from '../checks/menu.ts'
import mute from './mute.css' with { type: 'text' }
import { muteRoutes } from './routes.ts'

export const page = {
  routes: muteRoutes,
  under: checksMenu,
  help: 'pages#muting',
  lastStyles: [mute],
  fixtures: {
    'GET /p/:project/mute': { for: 'write', at: '/p/{project}/mute?c={new-check}' },
    'GET /p/:project/checks/:check/mute': { for: 'write' },
    'GET /p/:project/mute/window': { for: 'write', at: '/p/{project}/mute/window?c={new-check}' },
    'POST /p/:project/mute/window': {
      for: 'write',
      form: {
        c: '{new-check}',
        kind: 'again',
        'window-from': 'Sat 22:00',
        'window-until': '24:00',
        'window-tz': 'UTC',
      },
    },
    'POST /p/:project/mute/window/preview': { for: 'write', status: 200, form: { c: '{new-check}', kind: 'again' } },
    'POST /p/:project/mute': { for: 'write', form: { c: '{new-check}', until: '1h' } },
  },
} satisfies Page
