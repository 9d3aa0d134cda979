export { runRemoteGateway } from './http/run-remote-gateway.ts'
export type { RemoteGatewayOptions } from './http/remote-gateway-options.ts'
export { runStdioGateway } from './stdio/run-stdio-gateway.ts'
export type { GatewayLimits, GatewayTimings, StdioGatewayOptions } from './stdio/stdio-gateway-options.ts'
