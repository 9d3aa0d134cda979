export { runStdioGateway } from './stdio/run-stdio-gateway.ts'
export type { GatewayLimits, GatewayTimings, StdioGatewayOptions } from './stdio/stdio-gateway-options.ts'
