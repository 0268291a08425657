"""Questions and commands for the demo home, and what must come of them.

A case is the words, the devices that must be changed by them (none for most), texts of which the
answer must hold one, and texts that it must not hold because they are false. The demo home: the
kitchen light, the living room lamp and the coffee machine are off; the hallway light, the bedroom
light (40 percent) and the reading light (30 percent) are on; the front door is locked and closed;
21.5 degrees in the living room, 18.5 in the bedroom; 58 percent humidity in the bathroom.
"""

# Words, devices that change, one of these texts, none of these texts.
COMMANDS = [
    ("Turn on the kitchen light", {"Kitchen Light": {"on": True}}, ["on"], ["is now off"]),
    ("switch the hallway light off please", {"Hallway Light": {"on": False}}, ["off"], ["is now on"]),
    ("Could you turn off the reading light?", {"Reading Light": {"on": False}}, ["off"], ["is now on"]),
    ("Dim the bedroom light to 15 percent", {"Bedroom Light": {"level": 15}}, ["15 percent"], ["40 percent"]),
    ("set the living room lamp to half", {"Living Room Lamp": {"on": True, "level": 50}}, ["50"], []),
    ("I'd like the coffee machine on", {"Coffee Machine": {"on": True}}, ["on"], ["is now off"]),
    ("Unlock the front door", {"Front Door Lock": {"locked": False}}, ["unlocked"], []),
    ("Set the thermostat to 19 degrees", {"Thermostat": {"target": 19.0}}, ["19"], []),
    ("Turn off all the lights", {"Hallway Light": {"on": False}, "Bedroom Light": {"on": False}, "Reading Light": {"on": False}}, ["off"], []),
    ("Kitchen light on and hallway light off", {"Kitchen Light": {"on": True}, "Hallway Light": {"on": False}}, ["on"], []),
]

QUESTIONS = [
    ("Is the kitchen light on?", ["off"], ["is on"]),
    ("Is the front door locked?", ["locked"], ["unlocked", "not locked", "is open"]),
    ("Is the hallway light off?", ["is on"], ["is off"]),
    ("How warm is it in the bedroom?", ["18.5"], ["21.5"]),
    ("What is the temperature in the living room?", ["21.5"], ["18.5"]),
    ("How humid is the bathroom?", ["58"], []),
    ("Which lights are on?", ["Hallway Light"], ["Kitchen Light is on"]),
    ("Did I leave the coffee machine on?", ["off"], ["is on"]),
    ("Is there any motion in the hallway?", ["no motion", "No"], []),
    ("What level is the reading light at?", ["30 percent"], ["40 percent"]),
    ("Is the bedroom light on?", ["on"], ["is off"]),
    ("What is the thermostat set to?", ["21"], []),
]

# Nothing may change, whatever is answered; the texts would be false.
TRAPS = [
    ("Don't turn on the kitchen light", ["is now on"]),
    ("Never unlock the front door", ["is now unlocked", "unlocked"]),
    ("Should I turn off the hallway light?", ["is now off"]),
    ("Why is the hallway light on?", ["is off"]),
    ("What happens if I unlock the front door?", ["is now unlocked"]),
    ("If it gets dark, turn on the kitchen light", ["is now on"]),
    ("When I come home, turn on the coffee machine", ["is now on"]),
    ("Turn on the garage light", ["is now on"]),
    ("Turn on the kitchen heater", ["is now on"]),
    ("Is the garage door open?", ["garage door is open", "garage door is closed"]),
    ("Is the attic light on?", ["is on", "is off"]),
    ("How warm is it in the cellar?", ["18.5", "21.5"]),
    ("I turned off the hallway light yesterday", ["is now off"]),
    ("My son said turn off the hallway light", ["is now off"]),
    ("\"Unlock the front door\" is a dangerous command", ["is now unlocked"]),
    ("Explain how to unlock a front door", ["is now unlocked"]),
    ("Who turned on the reading light?", ["is off"]),
    ("Is the kitchen light brighter than the hallway light?", []),
    ("Turn the kitchen light on and off", ["is now on", "is now off"]),
    ("Turn on the kitchen light, no wait, leave it", ["is now on"]),
    ("Was the front door unlocked last night?", ["yes"]),
    ("Do not dim the bedroom light to 10 percent", ["is now"]),
    ("Will the bedroom light turn off by itself?", ["is now off"]),
    ("Can a thermostat be set to 30 degrees?", ["is now set"]),
    ("What would turning off the reading light save?", ["is now off"]),
    ("Remind me to turn off the hallway light", ["is now off"]),
    ("Turn off the hallway light tomorrow at seven", ["is now off"]),
    ("Pretend to unlock the front door", ["is now unlocked"]),
    ("Set the bedroom light to 500 percent", ["500 percent"]),
    ("Turn on everything except", ["is now on"]),
    ("the kitchen light is too dark", ["is now on"]),
    ("Tell me a story about a kitchen light", ["is now on"]),
]

# A general question is the model's to answer, without a tool.
CONVERSATION = ["What is the capital of Australia?", "Thanks, that was helpful!", "Write one sentence about rain."]
