package controlplane

// The reasons. Codes lists them with their remedies.
const (
	CodePaused                   Code = "Paused"
	CodeUpToDate                 Code = "UpToDate"
	CodeNoReplicas               Code = "NoReplicas"
	CodeWaitingForCluster        Code = "WaitingForCluster"
	CodeWaitingForInfrastructure Code = "WaitingForInfrastructure"
	CodeWaitingForEndpoint       Code = "WaitingForEndpoint"
	CodeGeneratingCertificates   Code = "GeneratingCertificates"
	CodeCertificatesMissing      Code = "CertificatesMissing"
	CodeCreatingFirstMachine     Code = "CreatingFirstMachine"
	CodeStartingCluster          Code = "StartingCluster"
	CodeWaitingForInitialization Code = "WaitingForInitialization"
	CodeNoMachines               Code = "NoMachines"

	CodeMembersUnknown      Code = "MembersUnknown"
	CodeQuorumLost          Code = "QuorumLost"
	CodeRemovingStrayMember Code = "RemovingStrayMember"
	CodeForeignMember       Code = "ForeignMember"
	CodeMemberUnassigned    Code = "MemberUnassigned"
	CodeRemovalBlocked      Code = "RemovalBlocked"
	CodeAlarmRaised         Code = "AlarmRaised"

	CodeRemovingMember   Code = "RemovingMember"
	CodeReleasingMachine Code = "ReleasingMachine"
	CodeDeletingMachine  Code = "DeletingMachine"
	CodeDeletionBlocked  Code = "DeletionBlocked"
	CodeLastMachine      Code = "LastMachine"

	CodeRemediating             Code = "Remediating"
	CodeRemediationLimitReached Code = "RemediationLimitReached"
	CodeRemediationDelayed      Code = "RemediationDelayed"
	CodeRemediationBlocked      Code = "RemediationBlocked"
	CodeSuperseded              Code = "Superseded"

	CodeWaitingForMachine  Code = "WaitingForMachine"
	CodeWaitingForMember   Code = "WaitingForMember"
	CodePreparingJoin      Code = "PreparingJoin"
	CodeScalingUp          Code = "ScalingUp"
	CodeCreationBlocked    Code = "CreationBlocked"
	CodeAPIServerUnhealthy Code = "APIServerUnhealthy"
	CodeRollingOut         Code = "RollingOut"
	CodeMachineUnhealthy   Code = "MachineUnhealthy"
	CodeScalingDown        Code = "ScalingDown"
	CodeHeld               Code = "Held"
	CodeVersionSkew        Code = "VersionSkew"
	CodeUpdatingAddons     Code = "UpdatingAddons"

	CodeDeletingControlPlane Code = "DeletingControlPlane"
	CodeWaitingForWorkers    Code = "WaitingForWorkers"
)

// explanation is what a user has to know about a reason.
type explanation struct {
	code Code
	// meaning is a sentence. remedy is what a user can do, or empty if nothing is to be done.
	meaning, remedy string
}

// Codes returns all reasons.
func Codes() []Code {
	all := make([]Code, 0, len(explanations()))
	for _, e := range explanations() {
		all = append(all, e.code)
	}
	return all
}

// Meaning returns a sentence that explains the reason.
func (c Code) Meaning() string { return c.explanation().meaning }

// Remedy returns what a user can do, or an empty string if nothing is to be done.
func (c Code) Remedy() string { return c.explanation().remedy }

func (c Code) explanation() explanation {
	for _, e := range explanations() {
		if e.code == c {
			return e
		}
	}
	return explanation{}
}
