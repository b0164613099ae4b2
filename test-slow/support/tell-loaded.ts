/** To be preloaded: tells on standard error of every file of OpenTelemetry that a process loads. */
import { plugin } from 'bun'

plugin({
  name: 'tell what is loaded',
  setup(build) {
    build.onLoad({ filter: /\/node_modules\/@opentelemetry\// }, async ({ path }) => {
      process.stderr.write(`loaded ${path}\n`)
      return { contents: await Bun.file(path).text(), loader: 'js' }
    })
  },
})
