// A small Z-Wave home: the real driver and the real WebSocket server over a simulated controller
// and six simulated nodes, all in one process. Prints "ready PORT" when all nodes are known.
//
// usage: node home.mjs PORT CACHE_FOLDER     (run beside node_modules)
import { createAndStartDriverWithMockPort, createDefaultMockControllerBehaviors, createDefaultMockNodeBehaviors } from "zwave-js/Testing";
import { MockController, MockNode, ccCaps } from "@zwave-js/testing";
import { CommandClasses } from "@zwave-js/core";
import { BinarySwitchCCSet } from "@zwave-js/cc/BinarySwitchCC";
import { ThermostatMode, ThermostatSetpointType } from "@zwave-js/cc";
import { ThermostatSetpointCCSet } from "@zwave-js/cc/ThermostatSetpointCC";
import { ZwavejsServer } from "@zwave-js/server";

const [port, cacheDir] = [Number(process.argv[2]), process.argv[3]];
const AIR_TEMPERATURE = 1;
const HUMIDITY = 5;

// A switch that takes every command and obeys none.
const stuck = {
    handleCC(_controller, _self, received) {
        if (received instanceof BinarySwitchCCSet) return { action: "ok" };
    },
};

// The mock's own handler takes `value > minValue` for a mistake, so that every set fails.
const setpoint = {
    handleCC(_controller, self, received) {
        if (!(received instanceof ThermostatSetpointCCSet)) return;
        self.state.set(`ThermostatSetpoint_setpoint_${received.setpointType}`, received.value);
        self.state.set(`ThermostatSetpoint_scale_${received.setpointType}`, received.scale);
        return { action: "ok" };
    },
};

const sensor = (values) => ccCaps({
    ccId: CommandClasses["Multilevel Sensor"],
    isSupported: true,
    version: 5,
    sensors: Object.fromEntries(Object.keys(values).map((type) => [type, { supportedScales: [0] }])),
    getValue: (type) => values[type],
});

const nodes = [
    { id: 2, name: "Kitchen Light", location: "Kitchen", generic: 0x10, specific: 0x01,
        classes: [ccCaps({ ccId: CommandClasses["Binary Switch"], isSupported: true, version: 2, defaultValue: false })] },
    { id: 3, name: "Bedroom Lamp", location: "Bedroom", generic: 0x11, specific: 0x01,
        classes: [ccCaps({ ccId: CommandClasses["Multilevel Switch"], isSupported: true, version: 4, defaultValue: 0 })] },
    { id: 4, name: "Thermostat", location: "Hallway", generic: 0x08, specific: 0x06,
        classes: [
            ccCaps({ ccId: CommandClasses["Thermostat Mode"], isSupported: true, version: 3, supportedModes: [ThermostatMode.Off, ThermostatMode.Heat] }),
            ccCaps({ ccId: CommandClasses["Thermostat Setpoint"], isSupported: true, version: 3,
                setpoints: { [ThermostatSetpointType.Heating]: { minValue: 5, maxValue: 35, defaultValue: 20, scale: "°C" } } }),
            sensor({ [AIR_TEMPERATURE]: 20.5 }),
        ],
        behaviors: [setpoint] },
    { id: 5, name: "Living Room Sensor", location: "Living Room", generic: 0x21, specific: 0x01,
        classes: [sensor({ [AIR_TEMPERATURE]: 21.5, [HUMIDITY]: 48 })] },
    { id: 6, name: "Front Door Lock", location: "Hallway", generic: 0x40, specific: 0x03,
        classes: [ccCaps({ ccId: CommandClasses["Door Lock"], isSupported: true, version: 4, travelTime: 600 })] },
    { id: 7, name: "Garage Light", location: "Garage", generic: 0x10, specific: 0x01,
        classes: [ccCaps({ ccId: CommandClasses["Binary Switch"], isSupported: true, version: 2, defaultValue: false })],
        behaviors: [stuck] },
];

const { driver, continueStartup, mockPort, serial } = await createAndStartDriverWithMockPort({
    storage: { cacheDir, deviceConfigPriorityDir: cacheDir },
    attempts: { openSerialPort: 1 },
});
const controller = await MockController.create({ homeId: 0x7e570001, ownNodeId: 1, mockPort, serial });
controller.defineBehavior(...createDefaultMockControllerBehaviors());
for (const { id, generic, specific, classes, behaviors } of nodes) {
    const capabilities = { isListening: true, genericDeviceClass: generic, specificDeviceClass: specific, commandClasses: [CommandClasses.Version, ...classes] };
    const node = await MockNode.create({ id, controller, capabilities });
    node.defineBehavior(...createDefaultMockNodeBehaviors());
    // What is defined later is asked first.
    node.defineBehavior(...(behaviors ?? []));
    controller.addNode(node);
}

driver.once("driver ready", () => {
    for (const { id, name, location } of nodes) {
        const node = driver.controller.nodes.get(id);
        node.name = name;
        node.location = location;
    }
});
driver.once("all nodes ready", async () => {
    const server = new ZwavejsServer(driver, { host: "127.0.0.1", port, enableDNSServiceDiscovery: false });
    await server.start();
    console.log(`ready ${port}`);
});
driver.on("error", (error) => console.error(String(error)));
continueStartup();
